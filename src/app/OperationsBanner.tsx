import { Component, lazy, type ReactNode, Suspense } from 'react';
import { firstPaint } from '#src/ui/firstPaint.ts';
import { preloadedBanner } from './preloadBanner.ts';

const LateBanner = lazy(async () => {
  await firstPaint;
  return { default: (await import('#src/pages/operations/Banner.tsx')).Banner };
});

/** The banner's row. Should it break, the pages stay, and a missing banner is not taken for good news. */
export class OperationsBanner extends Component<unknown, { broken: boolean }> {
  override state = { broken: false };
  /** One and the same for as long as the place is there. */
  readonly #Banner = preloadedBanner() ?? LateBanner;

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render(): ReactNode {
    if (this.state.broken) {
      return (
        <div className="banner" role="alert">
          <span className="min-w-0">
            <b>Couldn’t load open payments.</b> Reload and check here before you pay anything again.
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
