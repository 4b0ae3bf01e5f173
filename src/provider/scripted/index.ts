/** The `toolmend/scripted` entry: a local server that plays a script in every provider's API format. Requires Node. */
export { type Demo, demos } from './demos.ts';
export type { Play, RawTurn, Script, ScriptedCall, ScriptedTurn, ServedTurn } from './script.ts';
export { type ScriptedServer, type ServedRequest, type ServeOptions, serveScripted } from './server.ts';
