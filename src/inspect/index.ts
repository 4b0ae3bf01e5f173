/** The `toolmend/inspect` entry: the inspector, standalone or within your own server. */
export type * from './api.ts';
export {
  type Inspector,
  type InspectorOptions,
  inspector,
  type RunningInspector,
  startInspector,
} from './inspector.ts';
export type { LiveSource } from './live-feed.ts';
