import { createRequire } from 'node:module';

export type OpenTelemetry = typeof import('@opentelemetry/api');

/** A tracer of OpenTelemetry. Declared here because `@opentelemetry/api` may not be installed. */
export interface Tracer {
  startSpan(name: string, options?: object, context?: object): object;
}

let loaded: OpenTelemetry | null | undefined;

/**
 * The application's copy of the OpenTelemetry API; undefined if it isn't installed. Another copy may not find the
 * provider that the application registered.
 */
export function openTelemetry(): OpenTelemetry | undefined {
  if (loaded === undefined) {
    try {
      loaded = createRequire(import.meta.url)('@opentelemetry/api') as OpenTelemetry;
    } catch {
      loaded = null;
    }
  }
  return loaded ?? undefined;
}
