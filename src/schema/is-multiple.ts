/** A finite number as digits and a power of ten, exactly as its shortest writing has it. */
const decimal = (value: number): { digits: bigint; exponent: number } => {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
};

/** Whether a number is a multiple of another as both are written: 0.3 is one of 0.1, though not in binary. */
export const isMultiple = (value: number, of: number): boolean => {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  if (!Number.isFinite(value) || !Number.isFinite(of) || of === 0) return false;
  const a = decimal(value);
  const b = decimal(of);
  const least = Math.min(a.exponent, b.exponent);
  const scaled = (part: typeof a): bigint => part.digits * 10n ** BigInt(part.exponent - least);
  return scaled(a) % scaled(b) === 0n;
};
