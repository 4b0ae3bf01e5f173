import type { Format } from '../../model/index.ts';
import { displayUrl } from '../../provider/client/endpoint.ts';
import { redact } from '../../provider/client/errors.ts';
import { wiresServed } from '../upstream/detect-formats.ts';
import { CallChecks } from './check-calls.ts';
import { contextFinding, modelFinding, serverFinding, wiresFinding } from './check-server.ts';
import { headersOf, order, probeHttp } from './http-probe.ts';
import { loadedContext, serverFacts } from './server-facts.ts';
import type { Check, Diagnosis, Finding, ProbeTarget } from './types.ts';

/** Options of a diagnosis. */
export interface DiagnoseOptions extends ProbeTarget {
  /**
   * The only API format to check.
   * @default all
   */
  readonly format?: Format | undefined;
  /** Called before each check, and with each finding. */
  readonly onCheck?: (check: Check) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/**
 * Diagnoses a model server with small requests: what it is, which API formats it has, whether and how tools can be
 * called, and which setting is missing. Never throws for what a server does.
 */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  const { root, model, apiKey, format, onCheck, onFinding } = options;
  const findings: Finding[] = [];
  const secrets = apiKey === undefined ? [] : [apiKey];
  const note = (finding: Finding | undefined): Finding | undefined => {
    if (!finding) return undefined;
    const clean = redact(finding, secrets);
    findings.push(clean);
    onFinding?.(clean);
    return clean;
  };
  const base = { upstream: displayUrl(root), model, findings };
  const nothing = { ...base, server: 'other', formats: [], calls: 'none' } as const;

  onCheck?.('reachable');
  const headers = headersOf(options, format ?? 'openai-chat');
  const facts = await serverFacts(options, headers);
  if (facts.kind === 'silent') {
    note({ check: 'reachable', verdict: 'bad', said: facts.why, advice: 'Start the server, or correct --upstream.' });
    return nothing;
  }
  note(serverFinding(facts, root));
  onCheck?.('wires');
  const { wires: served } = await wiresServed(
    (path, one) => probeHttp(options, path, { headers: headersOf(options, one), body: {} }),
    format ? [format] : order,
    model,
  );
  const formats = served.map((one) => one.format);
  const spoken = { ...base, server: facts.kind, formats } as const;
  const wire = order.find((one) => formats.includes(one));
  if (note(wiresFinding(served, format, apiKey !== undefined))?.verdict === 'bad' || !wire)
    return { ...spoken, calls: 'none' };
  note(modelFinding(facts, model));

  const look = new CallChecks({ patient: options, wire, facts, note, onCheck: (check) => onCheck?.(check) });
  const calls = (await look.answers()) ? await look.calls() : 'none';
  onCheck?.('context');
  const loaded = facts.kind === 'ollama' ? await loadedContext(options, headers) : undefined;
  const { tokens, finding } = contextFinding(facts, loaded);
  note(finding);
  return {
    ...spoken,
    calls,
    ...(look.dialect !== undefined && { dialect: look.dialect }),
    ...(tokens !== undefined && { context: tokens }),
  };
}
