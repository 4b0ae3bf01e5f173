import { Component, type ComponentChildren } from 'preact';
import { Notice } from './notice.tsx';
import { RawJson } from './raw-json.tsx';

interface Props {
  readonly children: ComponentChildren;
  /** What stands here, in a word. */
  readonly what: string;
  /** What it was drawn from, to be shown where drawing fails. */
  readonly from?: unknown;
}

/** Keeps what can't be drawn from taking the rest of the page with it: whatever came is shown as it came. */
export class Guarded extends Component<Props, { readonly error?: string | undefined }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate({ from }: Props) {
    // Something else stands here now, which may well be drawn.
    if (from !== this.props.from && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render({ children, what, from }: Props) {
    const { error } = this.state;
    if (error === undefined) return children;
    return (
      <Notice tone="bad" title={`This ${what} could not be drawn`}>
        <p>{error}</p>
        {from !== undefined && <RawJson value={from} />}
      </Notice>
    );
  }
}
