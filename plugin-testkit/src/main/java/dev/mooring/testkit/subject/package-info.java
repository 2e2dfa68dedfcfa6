// SPDX-License-Identifier: Apache-2.0
/** What the author tells the kit about a plugin. */
@NullMarked
package dev.mooring.testkit.subject;

import org.jspecify.annotations.NullMarked;
