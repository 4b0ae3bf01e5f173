import { ask } from '../../provider/client/ask.ts';
import { endpoint, shown } from '../../provider/client/endpoint.ts';
import type { Fetch } from '../../provider/client/fetch.ts';
import { httpFetch } from '../../provider/client/http-fetch.ts';
import { fit as fitTo } from '../../provider/fit/fit.ts';
import type { Format, Model } from '../../turn/turn.ts';
import { rootPath } from '../wire-of.ts';
import { headersOf } from './headers-of.ts';
import type { Patient } from './patient.ts';
import { spoken } from './spoken.ts';

/**
 * A model that is asked once in one wire, as it is: nothing is tried again, nothing is read otherwise, so that what comes is
 * what any other client would get.
 */
export function asker(patient: Patient, format: Format, stream: boolean): Model {
  const { wire, service } = spoken(format);
  const { root, model, maxTokens, patience } = patient;
  const target = root.href.startsWith(new URL(service.base).origin) ? service.target : service.elsewhere;
  return {
    name: model,
    provider: service.provider,
    async *answer(question) {
      const { request, undoEvent } = fitTo({ maxTokens, ...question, model, stream }, target);
      const url = endpoint(root, rootPath(wire, wire.pathOf(request)));
      const asking = {
        ...{ provider: wire, url, fetch: httpFetch(10_000) as Fetch },
        headers: { 'content-type': 'application/json', ...headersOf(patient, format) },
        body: JSON.stringify(wire.writeRequest(request).wire),
        timeouts: { connect: 10_000, firstByte: patience, idle: patience },
        about: {
          label: shown(root),
          model,
          where: shown(url),
          variable: '--key-env',
          keyed: patient.apiKey !== undefined,
        },
      };
      const signal = AbortSignal.any([patient.signal, AbortSignal.timeout(patience)]);
      for await (const event of ask(asking, signal)) yield undoEvent(event);
    },
  };
}
