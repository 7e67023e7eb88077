import { qrPath } from './qrPath.ts';

/** A QR code, dark on white in both themes: many readers take no other. */
export function Qr({ value, label }: { value: string; label: string }) {
  const { size, path } = qrPath(value);
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
