import { endpoint } from '../../provider/client/endpoint.ts';
import { askJson, type JsonQuestion, type ServerReply } from '../ask-json.ts';
import type { Patient } from './patient.ts';

/** Asks the server that is looked at for one of its pages. */
export const askPatient = (
  { root, signal }: Pick<Patient, 'root' | 'signal'>,
  path: string,
  question: JsonQuestion,
): Promise<ServerReply> => askJson(endpoint(root, path), { ...question, signal });
