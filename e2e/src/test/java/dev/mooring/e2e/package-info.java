// SPDX-License-Identifier: Apache-2.0
/** What happens outside of the guest: it is built and booted, and what was found inside is told. */
@NullMarked
package dev.mooring.e2e;

import org.jspecify.annotations.NullMarked;
