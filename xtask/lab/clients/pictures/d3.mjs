// The functions of d3 that the views use. esbuild joins them into crates/views/vendor/d3.js.
export { bisectCenter, extent, max } from 'd3-array';
export { sankey } from 'd3-sankey';
export { scaleBand, scaleLinear } from 'd3-scale';
export { area, line } from 'd3-shape';
export { utcTicks } from 'd3-time';
