/** A4, in points: the area for texts. */
export const pageLayout = { left: 50, top: 48, width: 495.28, right: 545.28, bottom: 770, footer: 792 } as const;
