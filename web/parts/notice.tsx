import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly tone?: 'plain' | 'bad';
  readonly children?: ComponentChildren;
}

/** A message for an empty, loading or failed view, with what to do next. */
export function Notice({ title, tone = 'plain', children }: Props) {
  return (
    <div class={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <p class="notice-title">{title}</p>
      {children}
    </div>
  );
}
