/**
 * Chooses a watermark. Half of `maxAbove` records stay above it, so that polls compare them one by
 * one: this finds records that appear late or have the same time as others. Records of the same
 * time stay together. If they are too many, they go below the watermark; otherwise each poll would
 * have to read them all.
 *
 * @param times the times of the newest records, newest first
 * @param maxAbove how many records can stay above the watermark
 * @param isAll whether the list has no other records
 */
export function chooseWatermark(times: number[], maxAbove: number, isAll: boolean): number {
	const size = Math.min(maxAbove, times.length);
	if (size === 0) return 0;
	const half = Math.max(1, Math.floor(size / 2));
	for (let index = half; index < size; index++) {
		const at = times[index];
		const newer = times[index - 1];
		if (at < newer) return at;
	}
	const hasAll = isAll && times.length === size;
	if (hasAll) return 0;
	return times[size - 1];
}
