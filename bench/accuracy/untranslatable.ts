/** What a contestant's types can't say. */
export class Untranslatable extends Error {
  /** What stands in the way of a translation, or undefined where nothing does. */
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
