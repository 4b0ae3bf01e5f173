/** What a contestant's types can't express. */
export class Untranslatable extends Error {
  /** What prevents a translation, or undefined if nothing does. */
  static of(translate: () => unknown): string | undefined {
    try {
      translate();
      return undefined;
    } catch (error) {
      if (error instanceof Untranslatable) return error.message;
      throw error;
    }
  }
}
