// SPDX-License-Identifier: Apache-2.0
/** Snapshots of volumes, as external-snapshotter makes them: the common controller and the side-car's half in one. */
@NullMarked
package dev.mooring.binder.snapshotting;

import org.jspecify.annotations.NullMarked;
