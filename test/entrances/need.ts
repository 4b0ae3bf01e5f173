import { isObject } from '../../src/json/value.ts';
import type { Case, Expected } from './case.ts';

/** What a case asks of an entrance beyond carrying a call whose arguments are an object. */
export type Need =
  /** Arguments that are no JSON. */
  | 'broken text'
  /** Arguments that are JSON and no object. */
  | 'bare value'
  /** Arguments in which a JSON parser hides something: a key twice, an integer past 2^53. */
  | 'exact text'
  /** To be told that the message ended by its length. */
  | 'length'
  /** To look for calls in the words of a message. */
  | 'words'
  /** To take words for a call that is cut off, or names a tool that is not there. */
  | 'stray words'
  /** To know what a tool does to the world. */
  | 'effects'
  /** To see several calls of one message together. */
  | 'several'
  /** To leave out calls that name nothing. */
  | 'unnamed'
  /** To know how often a tool's call failed before. */
  | 'tries'
  /** To tell the model beside a result what was ignored. */
  | 'note'
  /** To take failed calls to the tool named `invalid`. */
  | 'fallback'
  /** To forbid calls by rules. */
  | 'rules'
  /** To give up a run at its deadline. */
  | 'deadline'
  /** To stop a run that is under way. */
  | 'stop'
  /** To run the tool. */
  | 'runs';

/** What a case needs, found in its data. */
export function needsOf({ wrote, expect, tools, times = 1, deny = [], needs = [] }: Case): ReadonlySet<Need> {
  const found = new Set<Need>(needs);
  const calls = 'calls' in wrote ? wrote.calls : [];
  for (const call of calls) {
    const need = carriage(call.arguments);
    if (need) found.add(need);
    if (!/[\p{L}\p{N}]/u.test(call.name)) found.add('unnamed');
  }
  if ('text' in wrote) {
    found.add('words');
    if (expect.some((one) => one.is === 'invalid' && one.errorType !== 'validation')) found.add('stray words');
  }
  if (wrote.finish === 'length') found.add('length');
  if (calls.length > 1) found.add('several');
  if (times > 1) found.add('tries');
  if (deny.length > 0) found.add('rules');
  if (tools.some(({ name }) => name === 'invalid')) found.add('fallback');
  if (expect.some((one) => 'note' in one && one.note !== undefined)) found.add('note');
  for (const one of expect) if (one.is === 'failed') found.add(needed[one.errorType]);
  return found;
}

const needed: Readonly<Record<Extract<Expected, { is: 'failed' }>['errorType'], Need>> = {
  denied: 'rules',
  timeout: 'deadline',
  aborted: 'stop',
  runtime: 'runs',
  logical: 'runs',
};

/** What a way to carry arguments must be able to, so that this text arrives as it was meant. */
function carriage(text: string): Need | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'broken text';
  }
  if (!isObject(value)) return 'bare value';
  const compact = text.replace(/("(?:\\.|[^"\\])*")|\s+/g, '$1');
  return JSON.stringify(value) === compact ? undefined : 'exact text';
}
