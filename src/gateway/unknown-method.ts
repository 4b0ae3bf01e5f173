import { ProtocolErrorCode } from '@modelcontextprotocol/client';

const code = `"code":${ProtocolErrorCode.MethodNotFound}`;

/**
 * Gives the answer that there is no such method the status 404, as the protocol of 2026 wants. The SDK does so only for
 * methods it finds unknown itself, and here it is the server behind that says so.
 */
export async function unknownMethod(answer: Response): Promise<Response> {
  if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('application/json')) return answer;
  const text = await answer.text();
  const { headers } = answer;
  const status = text.includes(code) && JSON.parse(text).error?.code === ProtocolErrorCode.MethodNotFound ? 404 : 200;
  return new Response(text, { status, headers });
}
