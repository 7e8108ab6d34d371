import { ShaderChunk } from 'three'

const SAMPLES = /shadow = \(\s*(?:texture\( shadowMap[^;]*?\)\s*\+?\s*)+\) \* 0\.2;/

/**
 * Choose how shadows are filtered, for all materials made from now on. A graphics card takes
 * sixteen samples, turned from pixel to pixel, for a wide soft edge; a processor takes one.
 */
export function filterShadows(isSoftware: boolean): void {
  const one = 'shadow = texture( shadowMap, shadowCoord.xyz );'
  const many = `
    shadow = 0.0;
    for ( int k = 0; k < 16; k ++ ) {
      shadow += texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( k, 16, phi ) * radius, shadowCoord.z ) );
    }
    shadow *= 0.0625;`
  ShaderChunk.shadowmap_pars_fragment = ShaderChunk.shadowmap_pars_fragment.replace(
    SAMPLES,
    isSoftware ? one : many,
  )
}
