// Runs the program of a third-party host as a child process, on free ports.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** Returns a port that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a Node program, and waits until `url` responds. Returns a function that stops the program. */
export async function startHost(program, args, environment, url) {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => printed.push(String(part)));
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (let look = 0; look < 300; look += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) {
      return async () => {
        child.kill('SIGKILL');
        await ended;
      };
    }
    if (child.exitCode !== null) {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`${program} does not serve ${url}:\n${printed.join('')}`);
}
