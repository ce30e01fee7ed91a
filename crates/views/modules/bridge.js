/** The messages between an MCP App and its host (SEP-1865, version 2026-01-26): JSON-RPC over `postMessage`. */

const PROTOCOL_VERSION = '2026-01-26';
/** Milliseconds after which a request to the host fails, so that no view waits forever. */
const TIMEOUT = 30_000;

/**
 * @typedef {object} HostListener
 * @property {(params: any) => void} input the arguments of the tool call
 * @property {(params: any) => void} result the result of the tool call
 * @property {(params: any) => void} cancelled
 * @property {(context: any) => void} context theme, locale and style of the host
 * @property {() => void} teardown the host is about to remove the view
 */

/** Connects with the host that contains the frame. @param {HostListener} listener */
export function connectHost(listener) {
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const pending = new Map();
  let requests = 0;
  const send = (/** @type {object} */ message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (/** @type {string} */ method, /** @type {object} */ params = {}) => send({ method, params });
  /** @param {string} method @param {object} params @returns {Promise<any>} */
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      requests += 1;
      const id = requests;
      pending.set(id, { resolve, reject });
      setTimeout(() => {
        if (pending.delete(id)) {
          reject(new Error(`the host did not answer ${method}`));
        }
      }, TIMEOUT);
      send({ id, method, params });
    });

  /** @type {Record<string, (params: any) => void>} */
  const notifications = {
    'ui/notifications/tool-input': listener.input,
    'ui/notifications/tool-result': listener.result,
    'ui/notifications/tool-cancelled': listener.cancelled,
    'ui/notifications/host-context-changed': listener.context,
  };

  window.addEventListener('message', ({ source, data }) => {
    // Only the host may speak: another frame of the page could send messages too.
    if (source !== window.parent || data?.jsonrpc !== '2.0') {
      return;
    }
    if (data.method === undefined) {
      const waiting = pending.get(data.id);
      pending.delete(data.id);
      if (data.error === undefined) {
        waiting?.resolve(data.result);
      } else {
        waiting?.reject(new Error(String(data.error.message)));
      }
    } else if (data.id === undefined) {
      notifications[data.method]?.(data.params ?? {});
    } else if (data.method === 'ui/resource-teardown') {
      listener.teardown();
      send({ id: data.id, result: {} });
    } else if (data.method === 'ping') {
      send({ id: data.id, result: {} });
    } else {
      send({ id: data.id, error: { code: -32601, message: `unknown method ${data.method}` } });
    }
  });

  return {
    request,
    /** Starts the conversation and returns the answer of the host. */
    async start() {
      const answer = await request('ui/initialize', {
        protocolVersion: PROTOCOL_VERSION,
        appInfo: { name: 'passbook', version: '0.1.0' },
        appCapabilities: { availableDisplayModes: ['inline'] },
      });
      notify('ui/notifications/initialized');
      return answer;
    },
    /** Reports the size of the document whenever it changes. */
    reportSize() {
      const root = document.documentElement;
      new ResizeObserver(() => {
        notify('ui/notifications/size-changed', {
          width: root.scrollWidth,
          height: Math.ceil(document.body.getBoundingClientRect().height),
        });
      }).observe(document.body);
    },
  };
}
