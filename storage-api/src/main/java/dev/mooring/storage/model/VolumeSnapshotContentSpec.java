// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a snapshot in the back-end is.
 *
 * @param volumeSnapshotRef whose it is; without uid if a person has made the content for a snapshot to come
 * @param deletionPolicy what becomes of it when the content goes
 * @param driver in whose back-end it is
 * @param volumeSnapshotClassName how it is made
 * @param source what it stands for
 * @param sourceVolumeMode the mode of the volume that it is of
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VolumeSnapshotContentSpec(
        ObjectReference volumeSnapshotRef,
        SnapshotPolicy deletionPolicy,
        String driver,
        Optional<String> volumeSnapshotClassName,
        VolumeSnapshotContentSource source,
        Optional<String> sourceVolumeMode) {
    /** The same with another volumeSnapshotRef. */
    public VolumeSnapshotContentSpec withVolumeSnapshotRef(ObjectReference newVolumeSnapshotRef) {
        return new VolumeSnapshotContentSpec(
                newVolumeSnapshotRef, deletionPolicy, driver, volumeSnapshotClassName, source, sourceVolumeMode);
    }

    /** The same with another deletionPolicy. */
    public VolumeSnapshotContentSpec withDeletionPolicy(SnapshotPolicy newDeletionPolicy) {
        return new VolumeSnapshotContentSpec(
                volumeSnapshotRef, newDeletionPolicy, driver, volumeSnapshotClassName, source, sourceVolumeMode);
    }

    /** The same with another driver. */
    public VolumeSnapshotContentSpec withDriver(String newDriver) {
        return new VolumeSnapshotContentSpec(
                volumeSnapshotRef, deletionPolicy, newDriver, volumeSnapshotClassName, source, sourceVolumeMode);
    }

    /** The same with another volumeSnapshotClassName. */
    public VolumeSnapshotContentSpec withVolumeSnapshotClassName(Optional<String> newVolumeSnapshotClassName) {
        return new VolumeSnapshotContentSpec(
                volumeSnapshotRef, deletionPolicy, driver, newVolumeSnapshotClassName, source, sourceVolumeMode);
    }

    /** The same with another source. */
    public VolumeSnapshotContentSpec withSource(VolumeSnapshotContentSource newSource) {
        return new VolumeSnapshotContentSpec(
                volumeSnapshotRef, deletionPolicy, driver, volumeSnapshotClassName, newSource, sourceVolumeMode);
    }

    /** The same with another sourceVolumeMode. */
    public VolumeSnapshotContentSpec withSourceVolumeMode(Optional<String> newSourceVolumeMode) {
        return new VolumeSnapshotContentSpec(
                volumeSnapshotRef, deletionPolicy, driver, volumeSnapshotClassName, source, newSourceVolumeMode);
    }
}
