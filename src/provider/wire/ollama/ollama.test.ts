import { requests } from '../../../../test/provider/fixtures/ollama/requests.ts';
import { responses } from '../../../../test/provider/fixtures/ollama/responses.ts';
import { streams } from '../../../../test/provider/fixtures/ollama/streams.ts';
import { wireSuite } from '../../../../test/provider/wire-suite.ts';
import { ollamaChat } from './index.ts';

wireSuite(
  ollamaChat,
  {
    format: 'ollama',
    arguments: 'value',
    parts: ['reasoning', 'text', 'call'],
    ordered: true,
    named: true,
    anonymous: true,
    settings: ['tools', 'maxTokens', 'temperature', 'topP', 'stop', 'stream'],
  },
  { requests, responses, streams },
);
