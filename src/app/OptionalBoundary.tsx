import { Component, type ReactNode } from 'react';

/** Should a small extra of the shell break, it is left out and the shell stays. */
export class OptionalBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
