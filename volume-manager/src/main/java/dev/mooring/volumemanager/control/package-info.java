// SPDX-License-Identifier: Apache-2.0
/**
 * The decisions of a node's agent about what its pods want; those about tasks of controllers are in {@code reclaim}. The
 * actors share what is known of the records, {@link dev.mooring.volumemanager.control.NodeRecords}; everything else they learn from the
 * caches.
 */
@NullMarked
package dev.mooring.volumemanager.control;

import org.jspecify.annotations.NullMarked;
