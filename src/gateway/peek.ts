import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** A transport whose messages somebody sees before they are delivered; `gone` is told when it has closed. */
export function peek(inner: Transport, look: (message: JSONRPCMessage) => void, gone: () => void): Transport {
  const outer: Transport = {
    start: () => {
      inner.onmessage = (message, extra) => {
        look(message);
        outer.onmessage?.(message, extra);
      };
      inner.onclose = () => {
        outer.onclose?.();
        gone();
      };
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  return outer;
}
