// The conformance suite cannot send a token: this passes its requests on with one, and everything else as it was.
//
// `node conformance.mjs PROGRAM REVISION FOLDER` runs the suite at a revision and leaves its checks in a folder. Where
// to pass requests on to, and the token, come by environment. The suite's own verdict is not ours: it counts what a
// server of tools alone does not have.

import { spawn } from "node:child_process";
import http from "node:http";

const [program, revision, folder] = process.argv.slice(2);
const server = new URL(process.env.PASSBOOK_MCP);
const authorization = `Bearer ${process.env.PASSBOOK_TOKEN}`;

const proxy = http.createServer((asked, answer) => {
  const headers = [...asked.rawHeaders, "Authorization", authorization];
  const { method, url: path } = asked;
  const passed = http.request({ host: server.hostname, port: server.port, method, path, headers }, (answered) => {
    answer.writeHead(answered.statusCode, answered.rawHeaders);
    answered.pipe(answer);
  });
  passed.on("error", () => answer.destroy());
  asked.pipe(passed);
});

proxy.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${proxy.address().port}${server.pathname}`;
  const chosen = ["--suite", "all", "--spec-version", revision, "--output-dir", folder];
  const suite = spawn(process.execPath, [program, "server", "--url", url, ...chosen], { stdio: "ignore" });
  suite.on("error", () => process.exit(70));
  suite.on("exit", (code) => process.exit(code === 0 || code === 1 ? 0 : 70));
});
