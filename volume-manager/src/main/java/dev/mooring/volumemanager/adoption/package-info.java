// SPDX-License-Identifier: Apache-2.0
/**
 * What is mounted without a record, as a kubelet or an agent without its records has left it: whose it is, and how sure that is.
 */
@NullMarked
package dev.mooring.volumemanager.adoption;

import org.jspecify.annotations.NullMarked;
