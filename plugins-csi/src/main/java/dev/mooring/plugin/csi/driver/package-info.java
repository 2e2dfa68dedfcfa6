// SPDX-License-Identifier: Apache-2.0
/** Drivers as their callers see them: one kept connection, what the driver can do, and what its codes mean. */
@NullMarked
package dev.mooring.plugin.csi.driver;

import org.jspecify.annotations.NullMarked;
