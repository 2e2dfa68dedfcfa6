// SPDX-License-Identifier: Apache-2.0
/**
 * Volumes that show objects of the cluster as files: configMap, secret, downwardAPI, projected (semantics/plugins §1.9). What a volume
 * shows is computed by pure functions ({@link dev.mooring.volumemanager.content.ContentPlan}) and written by {@link
 * dev.mooring.volumemanager.content.AtomicWriter}, so that a reader sees one whole version at any time.
 */
@NullMarked
package dev.mooring.volumemanager.content;

import org.jspecify.annotations.NullMarked;
