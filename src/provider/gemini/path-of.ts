import type { TurnRequest } from '../../turn/turn.ts';

/** The path of a request, below the base URL. */
export function pathOf({ model, stream }: TurnRequest): string {
  const name = model.includes('/') ? model : `models/${model}`;
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `/v1beta/${path}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}
