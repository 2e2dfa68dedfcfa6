// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import org.apiguardian.api.API;

/**
 * What a controller remembers about one key between decisions. Immutable. Everything that has to survive a crash is in the store;
 * this is what may be forgotten.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface KeyState {}
