import { Component, lazy, type ReactNode, Suspense } from 'react';
import { bannerReadFirst } from './bannerFirst.ts';

// Both read the operations of this browser.
const LateBanner = lazy(() => import('#src/pages/operations/Banner.tsx').then(({ Banner }) => ({ default: Banner })));
const SendingWatch = lazy(() => import('./SendingWatch.tsx').then(({ SendingWatch }) => ({ default: SendingWatch })));

/** The banner's row. Should it break, the pages stay, and the silence of the banner is not taken for peace. */
export class OperationsPlace extends Component<unknown, { broken: boolean }> {
  override state = { broken: false };
  /** One and the same for as long as the place is there. */
  readonly #Banner = bannerReadFirst() ?? LateBanner;

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render(): ReactNode {
    if (this.state.broken) {
      return (
        <div className="banner" role="alert">
          <span className="min-w-0">
            <b>The operations of this browser cannot be shown.</b> Before you pay anything again, read the app again and
            look here.
          </span>
        </div>
      );
    }
    const Banner = this.#Banner;
    return (
      <>
        <Suspense>
          <Banner />
        </Suspense>
        <Suspense>
          <SendingWatch />
        </Suspense>
      </>
    );
  }
}
