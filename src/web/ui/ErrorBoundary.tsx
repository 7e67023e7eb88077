import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Shown instead of the failed children; may throw the error again. */
  renderError: (error: unknown) => ReactNode;
  /** When this value changes, the children are rendered again. */
  at?: unknown;
  children: ReactNode;
}

interface ErrorBoundaryState {
  at: unknown;
  broken: { error: unknown } | null;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { at: this.props.at, broken: null };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { broken: { error } };
  }

  static getDerivedStateFromProps(
    { at }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return at === state.at ? null : { at, broken: null };
  }

  override render(): ReactNode {
    const { renderError, children } = this.props;
    const { broken } = this.state;
    return broken ? renderError(broken.error) : children;
  }
}
