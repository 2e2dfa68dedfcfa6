// SPDX-License-Identifier: Apache-2.0
/** What happens inside of the guest: the control plane, the servers, and the tests. */
@NullMarked
package dev.mooring.e2e.inside;

import org.jspecify.annotations.NullMarked;
