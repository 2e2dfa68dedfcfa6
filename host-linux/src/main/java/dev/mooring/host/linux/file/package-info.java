// SPDX-License-Identifier: Apache-2.0
/**
 * Files and trees by descriptor: no path is resolved twice, no link is followed and no mount crossed unless that was asked for.
 */
@NullMarked
package dev.mooring.host.linux.file;

import org.jspecify.annotations.NullMarked;
