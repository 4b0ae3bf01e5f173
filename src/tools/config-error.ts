/** One thing wrong with a definition: where, what, and how to put it right. */
export interface Fault {
  /** `name`, `parameters.type`, `parameters.properties.user.address[].zip.type` */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
}

const brand = Symbol.for('toolmend.ConfigurationValidationError');

/**
 * Thrown when something is configured that could never work; says where and what to do about it.
 *
 * @example
 * try {
 *   toolbox.add(definition);
 * } catch (error) {
 *   if (!ConfigurationValidationError.isInstance(error)) throw error;
 *   for (const { field, message, fix } of error.faults) console.error(`${field}: ${message}. ${fix}.`);
 * }
 */
export class ConfigurationValidationError extends Error {
  override readonly name = 'ConfigurationValidationError';
  /** What was configured: `tool`. */
  readonly configType: string;
  /** Where the first fault is. */
  readonly field: string;
  /** Every fault that was found, the first one included. */
  readonly faults: readonly Fault[];
  readonly [brand] = true;

  constructor(message: string, about: { configType: string; field: string; faults?: readonly Fault[] }) {
    super(message);
    this.configType = about.configType;
    this.field = about.field;
    this.faults = about.faults ?? [];
  }

  /** True for such an error, also one made by another copy of this package. */
  static isInstance(error: unknown): error is ConfigurationValidationError {
    return error instanceof Error && brand in error;
  }
}
