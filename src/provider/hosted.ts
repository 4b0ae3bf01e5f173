/** Services that turn their models' calls into native ones themselves, by host. */
const hosts =
  /^(?:api\.(?:openai|anthropic|deepseek|mistral|together|fireworks|cerebras|groq|x|cohere|perplexity|moonshot)\.(?:com|ai|xyz|cn)|openrouter\.ai|(?:[\w-]+\.)*(?:openai\.azure\.com|services\.ai\.azure\.com|googleapis\.com|amazonaws\.com))$/;

/** Whether such a service is at an address: a call in its words is more likely a quote than one it could not read. */
export function isHosted(url: URL | string): boolean {
  if (typeof url === 'string' && !URL.canParse(url)) return false;
  return hosts.test(new URL(url).hostname);
}
