import { Component, lazy, type ReactNode, Suspense } from 'react';
import { bannerReadFirst } from './bannerFirst.ts';

const LateBanner = lazy(() => import('#src/pages/operations/Banner.tsx').then(({ Banner }) => ({ default: Banner })));

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
            <b>Open operations cannot be shown.</b> Reload the app and look here before you pay anything again.
          </span>
        </div>
      );
    }
    const Banner = this.#Banner;
    return (
      <Suspense>
        <Banner />
      </Suspense>
    );
  }
}
