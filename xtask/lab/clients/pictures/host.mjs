// The page of a host for MCP Apps, built of the official packages: it calls a tool, shows the tool's picture in a
// sandbox of another origin, and sends the result to the picture. apps.mjs bundles it and calls `globalThis.host`.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';

const EXTENSION = 'io.modelcontextprotocol/ui';
const self = { name: 'passbook-clients', version: '1.0.0' };
let client;
let bridge;

/** Connects in an era: `legacy` begins with `initialize`, `modern` is the stateless revision. */
async function connect(era) {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const extensions = { [EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] } };
  client = new Client(self, { capabilities: { extensions }, versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', location.href)));
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  return { tools, resources, resourceTemplates };
}

/** Waits for a message of the sandbox. */
function sandboxReady(frame) {
  return new Promise((resolve) => {
    addEventListener('message', function listen({ source, data }) {
      if (source === frame.contentWindow && data?.method === 'ui/notifications/sandbox-proxy-ready') {
        removeEventListener('message', listen);
        resolve();
      }
    });
  });
}

/** Calls a tool and shows its picture. Returns the result, and the resource. A host that takes no messages says so. */
async function show(name, input, sandbox, hostContext, takesMessages = true) {
  const { tools } = await client.listTools();
  const uri = getToolUiResourceUri(tools.find((tool) => tool.name === name));
  const result = await client.callTool({ name, arguments: input });
  const { contents } = await client.readResource({ uri });
  const [{ text, mimeType, _meta }] = contents;

  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  frame.style.cssText = 'width: 100%; height: 900px; border: 0';
  const ready = sandboxReady(frame);
  frame.src = sandbox;
  document.body.replaceChildren(frame);
  await ready;

  const capabilities = { openLinks: {}, serverTools: {}, ...(takesMessages && { message: { text: {} } }) };
  bridge = new AppBridge(client, self, capabilities, { hostContext });
  const sizes = [];
  const messages = [];
  bridge.onmessage = async (message) => {
    messages.push(message);
    return {};
  };
  bridge.onsizechange = ({ height }) => sizes.push(height);
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await bridge.sendSandboxResourceReady({ html: text, csp: _meta?.ui?.csp });
  await initialized;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
  Object.assign(globalThis, { sizes, messages });
  return { uri, mimeType, meta: _meta, bytes: text.length, structured: result.structuredContent };
}

/** Sends what a host can send instead of a result. */
async function cancel() {
  await bridge.sendToolCancelled({ reason: 'test' });
}

async function fail(message) {
  await bridge.sendToolResult({ isError: true, content: [{ type: 'text', text: message }] });
}

async function theme(hostContext) {
  await bridge.setHostContext(hostContext);
}

/** Removes the picture. Returns the answer of the view. */
async function teardown() {
  return bridge.teardownResource({});
}

globalThis.host = { connect, show, cancel, fail, theme, teardown };
