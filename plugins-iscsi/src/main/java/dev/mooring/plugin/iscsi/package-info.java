// SPDX-License-Identifier: Apache-2.0
/** Logical units of iSCSI targets as volumes. */
@NullMarked
package dev.mooring.plugin.iscsi;

import org.jspecify.annotations.NullMarked;
