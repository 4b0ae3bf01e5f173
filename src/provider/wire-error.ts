/** What came is not what the wire promises; says where and what was expected. */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** Where in the body: `messages.0.content`. */
  readonly where: string;

  constructor(where: string, expected: string) {
    super(`${where || 'The body'} ${expected}`);
    this.where = where;
  }
}
