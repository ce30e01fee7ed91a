// Runs the conformance suite through a proxy that adds a token to each request, because the suite cannot send one.
//
// `node conformance.mjs PROGRAM REVISION FOLDER` runs the suite at a revision and writes its checks to a folder. The
// environment variables PASSBOOK_MCP and PASSBOOK_TOKEN name the tool server and the token. Exit code 1 of the
// suite is a success here, because the suite also fails for features that Passbook does not have: the caller reads the
// checks. Any other failure exits with code 70.

import { spawn } from "node:child_process";
import http from "node:http";

const [program, revision, folder] = process.argv.slice(2);
const server = new URL(process.env.PASSBOOK_MCP);
const authorization = `Bearer ${process.env.PASSBOOK_TOKEN}`;

const proxy = http.createServer((request, response) => {
  const headers = [...request.rawHeaders, "Authorization", authorization];
  const { method, url: path } = request;
  const forwarded = http.request({ host: server.hostname, port: server.port, method, path, headers }, (received) => {
    response.writeHead(received.statusCode, received.rawHeaders);
    received.pipe(response);
  });
  forwarded.on("error", () => response.destroy());
  request.pipe(forwarded);
});

proxy.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${proxy.address().port}${server.pathname}`;
  const options = ["--suite", "all", "--spec-version", revision, "--output-dir", folder];
  const suite = spawn(process.execPath, [program, "server", "--url", url, ...options], { stdio: "ignore" });
  suite.on("error", () => process.exit(70));
  suite.on("exit", (code) => process.exit(code === 0 || code === 1 ? 0 : 70));
});
