// SPDX-License-Identifier: Apache-2.0
/** The binder's metrics as plain data, under the names that Kubernetes has for them, and a report of volumes and claims left over. */
@NullMarked
package dev.mooring.binder.metrics;

import org.jspecify.annotations.NullMarked;
