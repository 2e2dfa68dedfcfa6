// SPDX-License-Identifier: Apache-2.0
/** The node's metrics as plain data, under the names that Kubernetes has for them. */
@NullMarked
package dev.mooring.volumemanager.metrics;

import org.jspecify.annotations.NullMarked;
