/**
 * The entry `toolmend/inspect`: the inspector, alone or within a server of your own.
 */
export type * from './api.ts';
export { type Inspector, type InspectorOptions, inspector } from './inspector.ts';
export type { LiveSource } from './live-feed.ts';
export { type RunningInspector, startInspector } from './server.ts';
