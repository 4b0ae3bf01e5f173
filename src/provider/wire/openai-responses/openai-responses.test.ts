import { requests } from '../../../../test/provider/fixtures/openai-responses/requests.ts';
import { responses } from '../../../../test/provider/fixtures/openai-responses/responses.ts';
import { streams } from '../../../../test/provider/fixtures/openai-responses/streams.ts';
import { wireSuite } from '../../../../test/provider/wire-suite.ts';
import { openaiResponses } from './index.ts';

wireSuite(
  openaiResponses,
  {
    format: 'openai-responses',
    arguments: 'text',
    parts: ['reasoning', 'sealed', 'hidden', 'text', 'refusal', 'call'],
    ids: true,
    media: ['data', 'url'],
    named: true,
    settings: ['tools', 'maxTokens', 'temperature', 'topP', 'stream'],
  },
  { requests, responses, streams },
);
