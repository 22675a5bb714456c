export type Degrees = { latitude: number; longitude: number }

/** The Krasovsky 1940 ellipsoid, on which the shift is computed. */
const semiMajorAxis = 6_378_245
const eccentricitySquared = 0.006_693_421_622_965_943

/** The rectangle within which map apps shift coordinates. */
export const isInChina = ({ latitude, longitude }: Degrees) =>
  latitude >= 0.8293 && latitude <= 55.8271 && longitude >= 72.004 && longitude <= 137.8347

/**
 * Converts coordinates of phones (WGS 84) to the datum of Chinese map apps (GCJ-02), some hundred metres off;
 * coordinates outside China are unchanged. The formula is the published approximation used by open map software,
 * accurate to about a metre.
 */
export function toGcj02({ latitude, longitude }: Degrees): Degrees {
  if (!isInChina({ latitude, longitude })) return { latitude, longitude }
  const [x, y] = [longitude - 105, latitude - 35]
  const sine = (half: number) => Math.sin(half * Math.PI)
  const ripple = (20 * sine(6 * x) + 20 * sine(2 * x)) * (2 / 3)
  const root = Math.sqrt(Math.abs(x))
  const north =
    -100 +
    2 * x +
    3 * y +
    0.2 * y * y +
    0.1 * x * y +
    0.2 * root +
    ripple +
    (20 * sine(y) + 40 * sine(y / 3)) * (2 / 3) +
    (160 * sine(y / 12) + 320 * sine(y / 30)) * (2 / 3)
  const east =
    300 +
    x +
    2 * y +
    0.1 * x * x +
    0.1 * x * y +
    0.1 * root +
    ripple +
    (20 * sine(x) + 40 * sine(x / 3)) * (2 / 3) +
    (150 * sine(x / 12) + 300 * sine(x / 30)) * (2 / 3)
  const radians = (latitude * Math.PI) / 180
  const flat = 1 - eccentricitySquared * Math.sin(radians) ** 2
  const meridian = (semiMajorAxis * (1 - eccentricitySquared)) / flat ** 1.5
  const parallel = (semiMajorAxis / Math.sqrt(flat)) * Math.cos(radians)
  return {
    latitude: latitude + ((north / meridian) * 180) / Math.PI,
    longitude: longitude + ((east / parallel) * 180) / Math.PI,
  }
}
