import { Component, type ComponentChildren } from 'preact';
import { Notice } from './notice.tsx';
import { RawJson } from './raw-json.tsx';

interface Props {
  readonly children: ComponentChildren;
  /** Name of the content. */
  readonly what: string;
  /** The data, shown if rendering fails. */
  readonly from?: unknown;
}

/** An error boundary: if its content can't be rendered, shows the raw data instead. */
export class Guarded extends Component<Props, { readonly error?: string | undefined }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate({ from }: Props) {
    // Retries with new data.
    if (from !== this.props.from && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render({ children, what, from }: Props) {
    const { error } = this.state;
    if (error === undefined) return children;
    return (
      <Notice tone="bad" title={`This ${what} could not be displayed`}>
        <p>{error}</p>
        {from !== undefined && <RawJson value={from} />}
      </Notice>
    );
  }
}
