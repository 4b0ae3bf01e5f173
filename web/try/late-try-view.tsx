import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';

type View = typeof import('./try-view.tsx')['TryView'];

/** Loads the try-it page when it is opened, because only this page needs the core. */
export function LateTryView({ shared }: { readonly shared: string }) {
  const [view, setView] = useState<{ readonly View: View } | 'failed'>();
  useEffect(() => {
    import('./try-view.tsx').then(
      ({ TryView }) => setView({ View: TryView }),
      () => setView('failed'),
    );
  }, []);
  if (view === 'failed') return <Notice tone="bad" title="This part of the page could not be loaded" />;
  return view ? <view.View shared={shared} /> : <Loading what="the reader" />;
}
