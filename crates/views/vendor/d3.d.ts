// d3.js is minified and has no types. Only the type checker reads this file.
export const area: any;
export const bisectCenter: any;
export const extent: any;
export const line: any;
export const max: any;
export const sankey: any;
export const scaleBand: any;
export const scaleLinear: any;
export const utcTicks: any;
