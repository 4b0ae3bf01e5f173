import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageHeaders } from './assets.ts';
import { inspector } from './inspector.ts';
import type { InspectorOptions } from './options.ts';

/** A running inspector. */
export interface RunningInspector {
  /** URL of the page. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves an inspector on the loopback interface.
 *
 * @example
 * const { url } = await startInspector({ store: sqliteStore('runs.db'), canApprove: true });
 */
export async function startInspector(
  options: InspectorOptions & { readonly port?: number },
): Promise<RunningInspector> {
  const { handle } = inspector(options);
  const server = createServer((request, response) => {
    handle(request, response).then(
      (done) => done || response.writeHead(302, { ...pageHeaders, location: '/inspector/' }).end(),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/inspector/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
