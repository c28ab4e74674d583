/** The services that a workspace can stand for. */
export const serviceNames = ['reference', 'newer', 'older'] as const;
export type ServiceName = (typeof serviceNames)[number];
